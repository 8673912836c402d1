import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nginxPath } from '../../scripts/nginx.mjs'

export interface Balancer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * nginx before gateways, as docs/team.md configures it. Each request goes to the next gateway, or with `isSticky` to the one
 * that knows its session.
 */
export async function startNginx(
  folder: string,
  port: number,
  gateways: readonly number[],
  { isSticky = false }: { readonly isSticky?: boolean } = {},
): Promise<Balancer> {
  const place = path.join(folder, 'nginx')
  mkdirSync(place)
  const servers = gateways.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path "${place}/${kind}";`,
  )
  // Its workers read and write bodies in this user's folder.
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  writeFileSync(
    path.join(place, 'nginx.conf'),
    `${user}daemon off; pid "${place}/pid"; error_log "${place}/errors"; worker_processes 1;
events { worker_connections 2048; }
http {
  access_log off; ${temporary.join(' ')}
  upstream gateways { ${isSticky ? 'hash $http_x_session_id$http_authorization consistent; ' : ''}${servers.join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 64m;
    client_body_buffer_size 1m;
    location / {
      proxy_pass http://gateways;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_buffering off;
      proxy_read_timeout 600s;
    }
  }
}
`,
  )
  const program = nginxPath() ?? ''
  const child = spawn(program, ['-c', path.join(place, 'nginx.conf'), '-e', `${place}/errors`], {
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error('nginx did not start')
    await sleep(50)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}
