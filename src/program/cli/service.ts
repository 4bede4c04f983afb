import { resolve } from 'node:path'

/** What `parley service` prints. */
export const serviceKinds = ['systemd', 'containerfile'] as const

/**
 * A systemd unit that runs the program as it was started now. The service has a user of its own,
 * and can write to its data folder and its cache only.
 *
 * @param command the program, and its script if it is one for Node
 * @param port undefined: the default one
 */
export function systemdUnit(command: readonly string[], port: number | undefined): string {
  const start = command.map((each) => quoted(resolve(each))).join(' ')
  const setPort = port === undefined ? '' : `Environment=PARLEY_PORT=${port}\n`
  return `# Save as /etc/systemd/system/parley.service, then run:
#   systemctl daemon-reload && systemctl enable --now parley
# Commands take the same folder:  parley user list --data /var/lib/parley
# Settings go to /etc/parley.env, one NAME=value per line: see "parley config". For a proxy with
# PARLEY_SOCKET=/run/parley/parley.sock, add Group= with the group of the proxy to [Service].
[Unit]
Description=Parley team chat
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
ExecStart=${start} serve --data /var/lib/parley
${setPort}Environment=XDG_CACHE_HOME=/var/cache/parley
EnvironmentFile=-/etc/parley.env
DynamicUser=yes
StateDirectory=parley
StateDirectoryMode=0700
CacheDirectory=parley
RuntimeDirectory=parley
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=2
TimeoutStopSec=30
LimitNOFILE=65536
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
UMask=0077
PrivateDevices=yes
ProtectSystem=strict
ProtectHome=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX

[Install]
WantedBy=multi-user.target
`
}

/** Quotes for systemd, where `%` and `$` are special in commands. */
function quoted(path: string): string {
  const escaped = path.replaceAll('%', '%%').replaceAll('$', '$$$$')
  return /[\s"'\\]/.test(escaped) ? JSON.stringify(escaped) : escaped
}

/** A Containerfile for the single executable. Build it in the folder that holds `parley`. */
export function containerfile(port: number): string {
  return `# Build in the folder that holds the executable:  podman build -t parley .
# Put settings into parley.env, one NAME=value per line, or make it empty:  touch parley.env
# Run:  podman run --name parley -p 127.0.0.1:${port}:${port} -v parley:/var/lib/parley --env-file parley.env parley
# Commands:  podman exec parley parley user list
FROM docker.io/library/debian:stable-slim
RUN useradd --system --home-dir /var/lib/parley parley \\
  && install -d -m 700 -o parley -g parley /var/lib/parley
COPY --chmod=755 parley /usr/local/bin/parley
USER parley
VOLUME /var/lib/parley
ENV PARLEY_DATA=/var/lib/parley XDG_CACHE_HOME=/tmp
EXPOSE ${port}
STOPSIGNAL SIGTERM
# The health can be bad where a restart does not help; this asks only whether the server answers.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \\
  CMD ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET /health HTTP/1.0\\r\\n\\r\\n' >&3 && grep -q '^HTTP/1' <&3"]
ENTRYPOINT ["/usr/local/bin/parley"]
CMD ["serve", "--host", "0.0.0.0", "--port", "${port}"]
`
}
