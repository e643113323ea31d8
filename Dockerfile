# Flowvision in a container: `docker build -t flowvision .`, then see docs/desktop.md.
FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src src
# A slim image has no libGL: OpenCV without windows takes the place of the usual build, in the metadata too (pip check).
RUN sed -i 's/"opencv-python>=/"opencv-python-headless>=/' pyproject.toml \
    && pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels /wheels/flowvision_solver-*.whl \
    && pip check \
    && useradd --create-home --uid 1000 flowvision
USER 1000
WORKDIR /data
ENTRYPOINT ["flowvision"]
CMD ["--help"]
