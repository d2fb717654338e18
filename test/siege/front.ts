/** What an attack is given: its target, its counts, and the signal that ends it. */
import { connect, type Socket } from 'node:net'
import { connectionOf, proxyAddress } from './address.ts'
import type { Target } from './target.ts'

export interface Attack {
  name: string
  /** Returns at once or when all is set up; what it started ends with `front.signal`. */
  start(front: Front): unknown
}

/** How often each thing happened: requests by their status, and what else an attack counts. */
export type Counts = Record<string, number>

export class Front {
  readonly target: Target
  readonly #counts = new Map<string, number>()
  readonly #sockets = new Set<Socket>()
  readonly #end = new AbortController()

  #begun: (() => void) | null

  /** @param begun called once, when the attack has done something */
  constructor(target: Target, begun: () => void) {
    this.target = target
    this.#begun = begun
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  get counts(): Counts {
    return Object.fromEntries(this.#counts)
  }

  begin(): void {
    this.#begun?.()
    this.#begun = null
  }

  count(what: string | number, by = 1): void {
    this.begin()
    this.#counts.set(`${what}`, (this.#counts.get(`${what}`) ?? 0) + by)
  }

  /** @param attacker has an address of its own; `null` comes through the proxy */
  connect(attacker: number | null): Socket {
    const { port } = this.target
    const socket = connect(
      attacker === null ? { port, host: proxyAddress, noDelay: true } : connectionOf(port, attacker),
    )
    this.#sockets.add(socket)
    socket.on('error', (error: NodeJS.ErrnoException) => this.count(error.code ?? 'error'))
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }

  /** Calls `work` so often until the attack ends. */
  every(ms: number, work: () => void): void {
    const timer = setInterval(work, ms)
    this.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  end(): void {
    this.#end.abort()
    for (const socket of this.#sockets) socket.destroy()
  }
}
