/** The proxies of the documents, run with the documented files on this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import { programPath } from '../../support/run/proxy-tests.ts'
import { readProjectFile } from '../../support/source.ts'

export interface Proxy {
  /** The file in docs/operations. */
  file: string
  program: string
  /** The arguments to run in the foreground. @param path of the file */
  run(path: string, folder: string): string[]
  /** What lets the proxy compress replies: a place in the file, and what replaces it. */
  compression: [place: string, text: string]
}

export const proxies: Proxy[] = [
  {
    file: 'nginx.conf',
    program: 'nginx',
    run: (path, folder) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join(' ')
      // The workers of a daemon of root are another user, who may not enter the folder.
      const user = process.getuid?.() === 0 ? 'user root; ' : ''
      const main = `${user}daemon off; pid ${folder}/pid; error_log ${folder}/log; events {} http { access_log off; ${temporary} include ${path}; }`
      writeFileSync(join(folder, 'main.conf'), main)
      return ['-p', folder, '-e', join(folder, 'log'), '-c', join(folder, 'main.conf')]
    },
    compression: [
      '  listen 80;',
      '  listen 80; gzip on; gzip_proxied any; gzip_types application/json; gzip_min_length 1;',
    ],
  },
  {
    file: 'haproxy.cfg',
    program: 'haproxy',
    run: (path) => ['-db', '-f', path],
    compression: ['  bind :80', '  bind :80\n  compression algo gzip\n  compression type application/json'],
  },
  {
    file: 'Caddyfile',
    program: 'caddy',
    run: (path) => ['run', '--config', path, '--adapter', 'caddyfile'],
    compression: [':80 {', ':80 {\n\tencode {\n\t\tzstd\n\t\tgzip\n\t\tminimum_length 1\n\t}'],
  },
]

export interface RunningProxy extends AsyncDisposable {
  url: string
}

export interface ProxyOptions {
  compresses?: boolean
  port?: number
  /** Of the documented file. */
  edit?: (text: string) => string
}

/** @param service its address, which takes the place of both instances */
export async function startProxy(
  { file, program, run, compression: [place, text] }: Proxy,
  service: string,
  { compresses = false, port: given, edit = (config) => config }: ProxyOptions = {},
): Promise<RunningProxy> {
  const port = given ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-proxy-'))
  const documented = readProjectFile(`docs/operations/${file}`) ?? ''
  const changed = (compresses ? documented.replace(place, text) : documented)
    .replace(/^.*10\.0\.0\.12:3000.*\n/m, (line) => (file === 'Caddyfile' ? line : ''))
    .replaceAll(/10\.0\.0\.1[12]:3000/g, new URL(service).host)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace(/^:80 \{/m, `{\n\tadmin off\n}\n:${port} {\n\tbind 127.0.0.1`)
  const path = join(folder, file)
  writeFileSync(path, edit(changed))
  const environment = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const running = spawn(programPath(program) ?? program, run(path, folder), {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  running.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  await listening(port, running, () => errors)
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      const ended = once(running, 'exit')
      running.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listening(port: number, running: ChildProcess, errors: () => string): Promise<void> {
  for (;;) {
    if (running.exitCode !== null) throw new Error(`The proxy has ended: ${errors()}`)
    const socket = connect(port, '127.0.0.1')
    const [isOpen] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'error').then(() => [false]),
    ]).catch(() => [false])
    socket.destroy()
    if (isOpen) return
    await delay(20)
  }
}
