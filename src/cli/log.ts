import { destination, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../config.ts'

/** Nothing that carries a secret is ever logged; should a header slip in, these do not. */
const redact = [
  'req.headers.authorization',
  'headers.authorization',
  'headers.cookie',
  'password',
  'connectionString',
]

/** Readable on a terminal, JSON lines anywhere else. */
export async function createLog({ logLevel }: Pick<Config, 'logLevel'>): Promise<Logger> {
  const options = { level: logLevel, redact, timestamp: stdTimeFunctions.isoTime, base: null }
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    return pino(options, pretty({ ignore: 'pid,hostname', sync: true }))
  }
  // Lines are gathered, and written in step: handing them to a thread costs more than writing them does.
  const stream = destination({ dest: 1, sync: true, minLength: 15_000, periodicFlush: 200 })
  process.once('exit', () => stream.flushSync())
  return pino(options, stream)
}
