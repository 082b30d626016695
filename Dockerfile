# Container image of the gateway, for linux/amd64 and linux/arm64. See docs/how-to/deploying.md.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run prepare
# /runtime has the bundle, the packages that are not bundled, and the SBOM, which lists both kinds of packages.
RUN npx tsx scripts/runtime-folder.ts /runtime \
 && mkdir /data

FROM ${NODE_IMAGE} AS runtime
ARG VERSION=1.0.0
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="Duet" \
      org.opencontainers.image.description="GraphQL gateway for commerce, accounts and content with a REST compatibility layer" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      duet.sbom="/srv/duet/dist/sbom.cdx.json"
ENV NODE_ENV=production \
    PORT=4000 \
    DATA_DIR=/data
WORKDIR /srv/duet
COPY --from=build /runtime ./
COPY --from=build --chown=1000:1000 /data /data
# By number, so that Kubernetes can verify runAsNonRoot.
USER 1000:1000
# The only folders that the gateway writes to: the root file system may be read-only.
VOLUME ["/data", "/tmp"]
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Exec form: node is process 1 and receives the signals.
ENTRYPOINT ["node", "--max-semi-space-size=64", "--v8-pool-size=1", "dist/server/duet.js"]
CMD ["start"]
