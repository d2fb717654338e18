/**
 * The thread that works on write-ahead logs of SQLite, so that the main thread does not wait for disks. It does one
 * task at a time: copying a log into its file, restarting a log, or writing a log again.
 */
import { fdatasyncSync, fstatSync, readSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import type { CheckpointReply, CheckpointRequest } from './checkpointer.ts'
import { existing } from './existing-file.ts'

/** Short, because writers wait for a restart of the log. A restart that readers prevent is tried again later. */
const busyTimeoutMs = 50
const chunkBytes = 1_048_576

/** The connections by path. A connection is open from the first task of its file until its release. */
const connections = new Map<string, DatabaseSync>()

const tasks: Record<CheckpointRequest['task'], (request: CheckpointRequest) => unknown> = {
  /** Copies the log into the file. Neither readers nor writers wait. */
  copy: ({ path }) => void connect(path).exec('PRAGMA wal_checkpoint(PASSIVE)'),
  restart: ({ path }) => restart(connect(path)),
  rewrite: ({ path, descriptor }) => rewrite(connect(path), descriptor),
  /** @returns a value that changes with each commit of another connection */
  version: ({ path }) => connect(path).prepare('PRAGMA data_version').get()?.['data_version'],
  release: ({ path }) => release(path),
}

parentPort?.on('message', (request: CheckpointRequest) => {
  parentPort?.postMessage(replyTo(request))
})

function replyTo(request: CheckpointRequest): CheckpointReply {
  try {
    return { id: request.id, value: tasks[request.task](request), failure: null }
  } catch (error) {
    return { id: request.id, value: null, failure: String(error) }
  }
}

function connect(path: string): DatabaseSync {
  const open = connections.get(path)
  if (open !== undefined) return open
  const connection = new DatabaseSync(existing(path), { timeout: busyTimeoutMs })
  connections.set(path, connection)
  connection.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -200')
  return connection
}

function release(path: string): void {
  connections.get(path)?.close()
  connections.delete(path)
}

/**
 * Restarts the log. The next commit has to sync the header of the log: it is made here instead of on the main
 * thread. It changes nothing, as it writes the present value of `user_version`, which SQLite leaves to applications.
 */
function restart(connection: DatabaseSync): void {
  connection.exec('PRAGMA wal_checkpoint(RESTART)')
  connection.exec('BEGIN IMMEDIATE')
  try {
    const number = connection.prepare('PRAGMA user_version').get()?.['user_version']
    connection.exec(`PRAGMA user_version = ${Number(number)}`)
  } finally {
    connection.exec('COMMIT')
  }
}

/**
 * After a failed sync, the system may regard pages as written that are not on the disk. They are rewritten with the
 * same bytes while the write lock is held.
 */
function rewrite(connection: DatabaseSync, descriptor: number): void {
  connection.exec('BEGIN IMMEDIATE')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    const { size } = fstatSync(descriptor)
    for (let offset = 0; offset < size; offset += chunkBytes) {
      const read = readSync(descriptor, chunk, 0, chunkBytes, offset)
      writeSync(descriptor, chunk, 0, read, offset)
    }
    fdatasyncSync(descriptor)
  } finally {
    connection.exec('ROLLBACK')
  }
}
