/**
 * A thread that runs scans of SQLite: reads that no index bounds and that would block the main thread. Each step of
 * a scan returns a batch of rows; between steps, the scans of other tenants (owners) take turns. The first step
 * starts the thread.
 */
import { Worker } from 'node:worker_threads'
import { DatabaseBusy, DatabaseUnavailable } from '../executor.ts'
import { FairQueue } from '../fair-queue.ts'
import type { Limit } from '../limit.ts'
import type { ScanReply, ScanRequest, ScanStep } from './scan-message.ts'
import { threadFile } from './task-thread.ts'

const maxWaiting = 512
const maxWaitingPerOwner = 128
export const scanThreadLimit: Limit = {
  name: 'scans that wait (SQLite), short and long ones each',
  kind: 'permits',
  bounds: { instance: maxWaiting, tenant: maxWaitingPerOwner },
  beyond: '503 with `Retry-After`',
  page: 'scaling.md',
}

/** The heap has one batch at a time; the main thread keeps the rows. */
const maxHeapMegabytes = 64
/** The part of the heap for short-lived objects, such as the rows of a batch. */
const maxYoungMegabytes = 12

interface Step {
  request: ScanStep
  resolve(reply: ScanReply): void
  reject(error: Error): void
}

export class ScanThread {
  readonly #steps = new FairQueue<Step>()
  readonly #answers = new Map<number, Pick<Step, 'resolve' | 'reject'>>()
  #worker: Worker | null = null
  #isBusy = false

  /** @throws DatabaseBusy when too many steps wait, DatabaseUnavailable when the thread ends */
  step(owner: string, request: ScanStep): Promise<ScanReply> {
    const { promise, resolve, reject } = Promise.withResolvers<ScanReply>()
    if (this.#steps.size >= maxWaiting || this.#steps.sizeOf([owner]) >= maxWaitingPerOwner) {
      return Promise.reject(new DatabaseBusy('Too many scans are waiting.'))
    }
    this.#steps.push([owner], { request, resolve, reject })
    this.#serve()
    return promise
  }

  /** Releases a scan whose reader has stopped. */
  stop(id: number): void {
    this.#worker?.postMessage({ kind: 'stop', id } satisfies ScanRequest)
  }

  /** Closes the connections to a file. */
  async close(id: number, path: string): Promise<void> {
    if (this.#worker !== null) await this.#ask({ kind: 'close', id, path })
  }

  #serve(): void {
    if (this.#isBusy) return
    const step = this.#steps.shift()
    if (step === undefined) return
    this.#isBusy = true
    this.#ask(step.request)
      .then(step.resolve, step.reject)
      .finally(() => {
        this.#isBusy = false
        this.#serve()
      })
  }

  #ask(request: Exclude<ScanRequest, { kind: 'stop' }>): Promise<ScanReply> {
    const { promise, resolve, reject } = Promise.withResolvers<ScanReply>()
    this.#answers.set(request.id, { resolve, reject })
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(request)
    return promise
  }

  #start(): Worker {
    const worker = new Worker(threadFile('scan-worker'), {
      name: 'tenantry-scan',
      execArgv: [], // not the application's, such as `--input-type`
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMegabytes,
        maxYoungGenerationSizeMb: maxYoungMegabytes,
      },
    })
    worker.on('message', (reply: ScanReply) => {
      const answer = this.#answers.get(reply.id)
      this.#answers.delete(reply.id)
      if (this.#answers.size === 0) worker.unref() // an idle thread does not keep the process alive
      answer?.resolve(reply)
    })
    worker.on('error', () => undefined) // 'exit' follows
    worker.on('exit', () => this.#end(worker))
    return worker
  }

  /** The next step starts a new thread. */
  #end(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = null
    const answers = [...this.#answers.values()]
    this.#answers.clear()
    for (const { reject } of answers) reject(new DatabaseUnavailable('The thread of scans has ended.'))
  }
}
