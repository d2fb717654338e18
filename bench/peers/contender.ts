/** What is measured: a server with products and categories, and the four requests as it understands them. */
import type { LoadRequest } from '../load/job.ts'
import { type Server, startServer } from '../process.ts'
import type { Side } from '../row/turns.ts'
import { makeFolder, removeFolder } from '../service.ts'
import { pageRows, type WorkName } from '../speed/works.ts'
import { peersFolder } from './packages.ts'

export interface Contender {
  name: string
  server: Server
  works: Record<WorkName, Side>
  stop(): Promise<void>
}

export interface Peer {
  name: string
  /** On npm; its version is the peer's. */
  packageName: string
  /** What the reader of the figures has to know, in sentences. */
  unlike: string
  /** @param databaseUrl of an empty database */
  start(databaseUrl: string): Promise<Contender>
}

/** Category `i % categories` belongs to product `i`. */
export const categories = 100

/** A text that stands in a reply once for each product. */
export const productMark = '"price":'
export const joinMark = '"category":{"name":"'

export function sideOf(
  server: Server,
  requests: LoadRequest[],
  { status = 200, text = productMark, times = 1 }: { status?: number; text?: string; times?: number } = {},
): Side {
  return { servers: [server], requests, expectedStatus: status, expectedText: { text, times } }
}

export const onePage = { times: pageRows }
export const onePageJoined = { text: joinMark, times: pageRows }

export function post(path: string, headers: Record<string, string>, body: object): LoadRequest {
  const jsonHeaders = { accept: 'application/json', 'content-type': 'application/json' }
  return { method: 'POST', path, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(body) }
}

/** Starts a script of the peers' folder in production mode. */
export async function startPeer(
  command: string[],
  readyPath: string,
  databaseUrl: string,
): Promise<{ server: Server; stop(): Promise<void> }> {
  const folder = makeFolder()
  const settings = { NODE_ENV: 'production', DATABASE_URL: databaseUrl }
  const server = await startServer({ command, folder, settings, root: peersFolder, readyPath })
  const stop = async () => {
    await server.stop()
    removeFolder(folder)
  }
  return { server, stop }
}
