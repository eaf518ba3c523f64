# One image for every process of the product; docker-compose.yml says which of them a container runs.
FROM node:24-bookworm-slim AS build
WORKDIR /earmark
COPY package.json package-lock.json ./
COPY contracts/package.json contracts/
COPY workflows/package.json workflows/
COPY backend/package.json backend/
COPY frontend/package.json frontend/
COPY stories/package.json stories/
COPY speech/package.json speech/
COPY sandbox/package.json sandbox/
COPY launcher/package.json launcher/
COPY tests/package.json tests/
RUN npm ci --no-audit --no-fund
COPY tsconfig.base.json ./
COPY contracts contracts
COPY workflows workflows
COPY backend backend
COPY frontend frontend
COPY speech speech
RUN cd backend && npx vite build && cd ../frontend && npx vite build
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /earmark
COPY --from=build /earmark/node_modules node_modules
COPY --from=build /earmark/package.json package.json
COPY --from=build /earmark/contracts contracts
COPY --from=build /earmark/workflows workflows
COPY --from=build /earmark/backend backend
COPY --from=build /earmark/frontend/dist frontend/dist
COPY --from=build /earmark/speech speech
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4800
CMD ["node", "--enable-source-maps", "backend/dist/main.mjs"]
