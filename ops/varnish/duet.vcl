# Varnish in front of Duet: stores public reads of storefronts, and passes everything else. Needs varnish-modules (xkey).
# docs/how-to/edge-cache.md describes the set-up.
vcl 4.1;

import std;
import xkey;

backend gateway {
  .host = "127.0.0.1";
  .port = "4000";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    # CACHE_PURGE_TOKEN is a variable of varnishd and of the gateway. Without it nobody can purge.
    if (std.getenv("CACHE_PURGE_TOKEN") == "" || req.http.Authorization != "Bearer " + std.getenv("CACHE_PURGE_TOKEN")) {
      return (synth(403));
    }
    if (!req.http.xkey-purge) {
      return (synth(400));
    }
    set req.http.x-purged = xkey.purge(req.http.xkey-purge);
    return (synth(200));
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  if (req.url !~ "^/(v1/|graphql[/?])") {
    return (pass);
  }
  # Pages and event streams.
  if (req.http.Accept ~ "text/html|text/event-stream|multipart/") {
    return (pass);
  }
  # These requests never get a stored response, and their responses are never stored.
  if (req.http.Authorization || req.http.X-API-Key || req.http.X-Consistency-Token || req.http.If-Match || req.http.Range) {
    return (pass);
  }
  # The API reads no cookies. The client sees the request id of the stored response's request, so none is forwarded.
  unset req.http.Cookie;
  unset req.http.X-Request-Id;
  unset req.http.X-Client-Name;
  # Accept is part of Vary: few values, so that clients share stored responses.
  if (req.http.Accept ~ "application/graphql-response\+json") {
    set req.http.Accept = "application/graphql-response+json, application/json;q=0.9";
  } elsif (req.http.Accept ~ "application/problem\+json") {
    set req.http.Accept = "application/problem+json, application/json";
  } else {
    set req.http.Accept = "application/json";
  }
  return (hash);
}

sub vcl_backend_response {
  # Varnish reads s-maxage (TTL) and stale-while-revalidate (grace).
  if (beresp.http.Cache-Control !~ "(^|,) ?public") {
    # Remembers for 5 seconds that requests for this URL need not wait for each other.
    set beresp.ttl = 5s;
    set beresp.grace = 0s;
    set beresp.uncacheable = true;
    return (deliver);
  }
  # A stored response is not revalidated after its time: the gateway would have to confirm it anyway.
  set beresp.keep = 0s;
}

sub vcl_deliver {
  unset resp.http.xkey;
  unset resp.http.X-Varnish;
  set resp.http.X-Cache = "miss";
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  }
}
