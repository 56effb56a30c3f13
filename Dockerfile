# The image holds two static programs, web and the reader of PDFs that it starts, on a small Debian with certificate
# authorities. It writes compiled code to /dev/shm and no other files, so its root file system may be read-only.

FROM node:22-bookworm-slim AS node

FROM golang:1.26-bookworm AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION
RUN make release VERSION="$VERSION" NPM="npm --omit=dev"

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get upgrade -y \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb
COPY --from=build /src/bin/web /web
COPY --from=build /src/bin/inspectpdf /inspectpdf
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["/web"]
CMD ["serve"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=70s --retries=3 CMD ["/web", "health"]
