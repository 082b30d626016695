/** Browser script of the REST reference: code samples in further languages, built from the example so that the OpenAPI document stays small. */
export const referenceSamplesScript = String.raw`const lines = (...parts) => parts.filter((part) => part !== false).join('\n');

/** A string literal with single quotes; JavaScript, Python, PHP and Ruby read it alike. */
const quoted = (text) => "'" + text.replaceAll('\\', '\\\\').replaceAll("'", "\\'") + "'";
/** A raw string if possible, so that JSON stays readable. */
const goString = (text) => (text.includes('\x60') ? JSON.stringify(text) : '\x60' + text + '\x60');

/** Path and query of the example, with placeholders for values of earlier requests. */
function exampleUrl({ path, operation }) {
  const given = (operation.parameters ?? []).map(resolveRef).filter(({ example }) => example !== undefined);
  const inPath = given.filter((parameter) => parameter.in === 'path').reduce((text, { name, example }) =>
    text.replace('{' + name + '}', encodeURIComponent(example).replace(/%7B(\w+)%7D/g, '{$1}')), path);
  const query = new URLSearchParams(given.filter((parameter) => parameter.in === 'query').map(({ name, example }) => [name, String(example)]));
  return query.size > 0 ? inPath + '?' + query : inPath;
}

const requestSamples = (call) => {
  const { method, operation } = call;
  const url = exampleUrl(call);
  const needsToken = operation.security?.length !== 0;
  const body = operation.requestBody?.content?.['application/json']?.example;
  const text = body === undefined ? '' : JSON.stringify(body);
  const hasBody = text !== '' && text !== '{}';
  return [
    { label: 'JavaScript', source: lines(
      'const { DUET_URL, TOKEN } = process' + '.env;',
      'const response = await fetch(DUET_URL + ' + quoted(url) + ', {',
      "  method: '" + method + "',",
      '  headers: {',
      needsToken && "    authorization: 'Bearer ' + TOKEN,",
      hasBody && "    'content-type': 'application/json',",
      '  },',
      hasBody && '  body: ' + quoted(text) + ',',
      '});',
      'console.log(response.status, await response.json());') },
    { label: 'Python', source: lines(
      'import os',
      'import requests',
      '',
      'response = requests.request(',
      "    '" + method + "',",
      "    os.environ['DUET_URL'] + " + quoted(url) + ',',
      '    headers={',
      needsToken && "        'Authorization': 'Bearer ' + os.environ['TOKEN'],",
      hasBody && "        'Content-Type': 'application/json',",
      '    },',
      hasBody && '    data=' + quoted(text) + '.encode(),',
      ')',
      'print(response.status_code, response.json())') },
    { label: 'PHP', source: lines(
      '<?php',
      "$request = curl_init(getenv('DUET_URL') . " + quoted(url) + ');',
      'curl_setopt_array($request, [',
      "    CURLOPT_CUSTOMREQUEST => '" + method + "',",
      '    CURLOPT_RETURNTRANSFER => true,',
      '    CURLOPT_HTTPHEADER => [',
      needsToken && "        'Authorization: Bearer ' . getenv('TOKEN'),",
      hasBody && "        'Content-Type: application/json',",
      '    ],',
      hasBody && '    CURLOPT_POSTFIELDS => ' + quoted(text) + ',',
      ']);',
      'print_r(json_decode(curl_exec($request), true));') },
    { label: 'Go', source: lines(
      'package main',
      '',
      'import (',
      '\t"io"',
      '\t"log"',
      '\t"net/http"',
      '\t"os"',
      hasBody && '\t"strings"',
      ')',
      '',
      'func main() {',
      '\turl := os.Getenv("DUET_URL") + ' + goString(url),
      '\trequest, err := http.NewRequest("' + method + '", url, ' + (hasBody ? 'strings.NewReader(' + goString(text) + ')' : 'nil') + ')',
      '\tif err != nil {',
      '\t\tlog.Fatal(err)',
      '\t}',
      needsToken && '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))',
      hasBody && '\trequest.Header.Set("Content-Type", "application/json")',
      '\tresponse, err := http.DefaultClient.Do(request)',
      '\tif err != nil {',
      '\t\tlog.Fatal(err)',
      '\t}',
      '\tdefer response.Body.Close()',
      '\tbody, _ := io.ReadAll(response.Body)',
      '\tlog.Println(response.Status, string(body))',
      '}') },
    { label: 'Ruby', source: lines(
      "require 'net/http'",
      '',
      "uri = URI(ENV.fetch('DUET_URL') + " + quoted(url) + ')',
      'request = Net::HTTP::' + method[0] + method.slice(1).toLowerCase() + '.new(uri)',
      needsToken && "request['Authorization'] = 'Bearer ' + ENV.fetch('TOKEN')",
      hasBody && "request['Content-Type'] = 'application/json'",
      hasBody && 'request.body = ' + quoted(text),
      "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
      'puts response.code, response.body') },
  ];
};
`;
