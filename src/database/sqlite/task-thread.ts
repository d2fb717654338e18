/** A thread that runs tasks for this one. The first task starts it; an idle thread does not keep the process alive. */
import { type ResourceLimits, Worker } from 'node:worker_threads'
import { DatabaseUnavailable } from '../executor.ts'

export interface TaskReply<Failure> {
  id: number
  value: unknown
  failure: Failure | null
}

type Pending = Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>

export class TaskThread<Request extends object, Failure> {
  readonly #name: string
  readonly #resourceLimits: ResourceLimits
  readonly #toError: (failure: Failure) => Error
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | null = null
  #lastId = 0

  /** @param name of the worker's file @param toError converts a failure that the worker reports */
  constructor(name: string, resourceLimits: ResourceLimits, toError: (failure: Failure) => Error) {
    this.#name = name
    this.#resourceLimits = resourceLimits
    this.#toError = toError
  }

  /** @returns the result of the task @throws the error of `toError`; DatabaseUnavailable when the thread ends */
  run(request: Request): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++this.#lastId
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#pending.set(id, { resolve, reject })
    this.#worker.postMessage({ ...request, id })
    return promise
  }

  #start(): Worker {
    const worker = new Worker(threadFile(this.#name), {
      name: `tenantry-${this.#name}`,
      execArgv: [], // not the application's, such as `--input-type`
      resourceLimits: this.#resourceLimits,
    })
    worker.on('message', ({ id, value, failure }: TaskReply<Failure>) => {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (this.#pending.size === 0) worker.unref()
      if (failure === null) pending?.resolve(value)
      else pending?.reject(this.#toError(failure))
    })
    worker.on('error', (error) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, null))
    return worker
  }

  /** The next task starts a new thread. */
  #end(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const { reject } of this.#pending.values())
      reject(new DatabaseUnavailable(`The thread ${this.#name} has ended.`, cause))
    this.#pending.clear()
  }
}

/** The file of a thread: a source beside this one, or its bundle. */
export function threadFile(name: string): URL {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${ending}`, import.meta.url)
}
