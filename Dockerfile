# The web app is built with Node, the server runs on Python; nothing of Node is left in the image.
FROM node:22-slim AS web
WORKDIR /web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci
COPY web .
RUN npm run build && npm run build:console

FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /minato
COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml LICENSE NOTICE THIRD-PARTY-NOTICES.md ./
COPY docs/package.md docs/package.md
COPY api api
COPY migrations migrations
RUN pip install --no-cache-dir --no-build-isolation --no-deps -e .
COPY --from=web /web/dist web/dist
COPY --from=web /api/minato/dev/console api/minato/dev/console
RUN useradd --system --create-home minato && install -d -o minato -g minato /var/lib/minato
USER minato
EXPOSE 54321
CMD ["minato", "serve"]
