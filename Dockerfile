# Builds an image of svc from this repository: docker build -t svc .
# docs/installation.md explains how to use it.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm pack
RUN npm install --global --prefix install --allow-scripts=better-sqlite3 --no-audit --no-fund ./svc-cli-*.tgz
# npm also installs svc without better-sqlite3, if that can neither be downloaded nor compiled.
RUN node -e "new (require('$PWD/install/lib/node_modules/svc-cli/node_modules/better-sqlite3'))(':memory:')"
# The sources of SQLite, which only compiling needs.
RUN rm -rf install/lib/node_modules/svc-cli/node_modules/better-sqlite3/deps
# A new volume gets the owner and the mode of this directory.
RUN mkdir -m 700 data

FROM ${NODE_IMAGE}
ENV NODE_ENV=production SVC_DATA_DIR=/data
COPY --from=build /build/install/ /usr/local/
COPY --from=build --chown=node:node /build/data /data
USER node
WORKDIR /home/node
VOLUME /data
EXPOSE 8025 1025
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s CMD ["node", "-e", "let server = process.env.SVC_HEALTH_URL || 'http://127.0.0.1:8025'; try { server = require(process.env.SVC_DATA_DIR + '/server.json').base_url } catch {} fetch(new URL('/_svc/health', server)).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["svc"]
CMD ["dev", "--host", "0.0.0.0", "--allow-host", "svc"]
