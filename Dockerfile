# The image of the service. CONTRIBUTING tells how it is tried out, k8s/README.md how it is run.
#
# A tag may be moved to another image, a digest never is. To pin one, ask the registry for it and build with both:
#   docker buildx imagetools inspect docker.io/library/python:3.11.14-slim-bookworm
#   docker build --build-arg BASE=docker.io/library/python:3.11.14-slim-bookworm@sha256:… .
ARG BASE=docker.io/library/python:3.11.14-slim-bookworm

FROM ${BASE} AS build
WORKDIR /build
# pip stands apart from what it installs, and is not copied.
RUN python3 -m venv /opt/pip && python3 -m venv --without-pip /opt/rulewright
COPY . .
# A folder `wheelhouse` with all that is needed makes the index unnecessary. The bytecode is not compared with the times of
# its sources, which copies of a layer may change.
RUN if [ -d wheelhouse ]; then export PIP_NO_INDEX=1 PIP_FIND_LINKS=wheelhouse; fi \
    && /opt/pip/bin/pip --python /opt/rulewright/bin/python install --no-cache-dir --no-compile --no-input \
        --disable-pip-version-check --constraint constraints.txt ".[embedded,telemetry]" \
    && /opt/rulewright/bin/python -m compileall -q --invalidation-mode unchecked-hash /opt/rulewright/lib

FROM ${BASE}
COPY --from=build /opt/rulewright /opt/rulewright
ENV PATH=/opt/rulewright/bin:/usr/local/bin:/usr/bin:/bin
# What the base brings to install packages with goes: in Docker's Python below /usr/local, in Debian's in python-wheels.
# Then all is imported once, since Docker's Python comes without the bytecode of its library.
RUN rm -rf /usr/local/lib/python3*/ensurepip /usr/local/lib/python3*/site-packages/* /usr/local/bin/pip* \
        /usr/lib/python3*/ensurepip /usr/share/python-wheels \
    && python3 -c "import service.app, service.commands.line, service.commands.serve" \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data

ENV PYTHONDONTWRITEBYTECODE=1 \
    RULEWRIGHT_DATA_DIR=/data \
    RULEWRIGHT_HOST=0.0.0.0 \
    RULEWRIGHT_PORT=8000
USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python3", "-ISc", "import http.client, os; asked = http.client.HTTPConnection('127.0.0.1', int(os.environ['RULEWRIGHT_PORT']), timeout=2); asked.request('GET', '/healthz'); raise SystemExit(asked.getresponse().status != 200)"]
ENTRYPOINT ["rulewright"]
CMD ["serve"]

ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Rulewright" \
    org.opencontainers.image.description="Rules as a service: what happened in a fight, and every step of why." \
    org.opencontainers.image.licenses="MIT" \
    org.opencontainers.image.version="${VERSION}"
