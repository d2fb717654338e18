/** Asks the one thread of this process that waits for disks; it is started when it is first needed. */
import { Worker } from 'node:worker_threads'
import { DatabaseUnavailable } from '../executor.ts'
import { threadFile } from './thread-file.ts'

export interface CheckpointRequest {
  id: number
  task: 'copy' | 'restart' | 'rewrite' | 'version' | 'release'
  /** Of the database. */
  path: string
  /** Of its log, open in this process. */
  descriptor: number
}

export interface CheckpointReply {
  id: number
  value: unknown
  failure: string | null
}

type Pending = Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>

/** It holds a few pages at a time. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

class Checkpointer {
  #worker: Worker | null = null
  #lastId = 0
  readonly #pending = new Map<number, Pending>()

  /** @returns what the task gives @throws DatabaseUnavailable */
  run(task: CheckpointRequest['task'], path: string, descriptor = -1): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#pending.set(id, { resolve, reject })
    const request: CheckpointRequest = { id, task, path, descriptor }
    this.#worker.postMessage(request)
    return promise
  }

  #start(): Worker {
    const worker = new Worker(threadFile('checkpoint-worker'), { resourceLimits, execArgv: [] }) // `--input-type` of an application is not for it
    worker.on('message', ({ id, value, failure }: CheckpointReply) => {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (this.#pending.size === 0) worker.unref() // an idle one does not keep the process
      if (failure === null) pending?.resolve(value)
      else pending?.reject(new DatabaseUnavailable(failure))
    })
    worker.on('error', (error) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, null))
    return worker
  }

  /** The next task starts another one. */
  #end(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const { reject } of this.#pending.values())
      reject(new DatabaseUnavailable('The thread for checkpoints has ended.', cause))
    this.#pending.clear()
  }
}

export const checkpointer = new Checkpointer()
