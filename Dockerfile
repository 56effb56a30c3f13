# The image holds two static programs, web and the reader of PDFs that it starts, and the certificate authorities,
# nothing else: no shell, no package manager.
# It writes no files, so its root file system may be read-only and it needs no tmpfs.

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

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /src/bin/web /web
COPY --from=build /src/bin/inspectpdf /inspectpdf
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["/web"]
CMD ["serve"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=70s --retries=3 CMD ["/web", "health"]
