/** The thread that rewrites whole files. `rewrite-file.ts` sends its tasks. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { existing } from './existing-file.ts'
import type { RewriteReply, RewriteRequest } from './rewrite-file.ts'

const writersTimeoutMs = 5000
const readersTimeoutMs = 500
const maxAttempts = 10
/** Between attempts, readers end their snapshots. */
const retryDelayMs = 200

parentPort?.on('message', async (request: RewriteRequest) => {
  parentPort?.postMessage(await replyTo(request))
})

async function replyTo({ id, path }: RewriteRequest): Promise<RewriteReply> {
  try {
    return { id, value: await rewrite(path), failure: null }
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    return { id, value: null, failure: { message, detail: { ...Object(error) } } }
  }
}

/** @returns whether the journal is empty as well */
async function rewrite(path: string): Promise<boolean> {
  using connection = new DatabaseSync(existing(path), { timeout: writersTimeoutMs })
  connection.exec('VACUUM')
  connection.exec(`PRAGMA busy_timeout = ${readersTimeoutMs}`)
  for (let tries = 0; tries < maxAttempts; tries++) {
    await delay(retryDelayMs)
    if (connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0) return true
  }
  return false
}
