/** The log of the process: lines on standard output, which may be closed, or full, without anybody noticing. */
import { type Logger, pino, stdTimeFunctions } from 'pino'
import type { Metric } from '../metric.ts'
import type { Config } from '../settings/config.ts'
import { LineWriter, tolerateClosedOutput } from './standard-output.ts'

/** Nothing that carries a secret is ever logged; should a header slip in, these do not. */
const redact = [
  'req.headers.authorization',
  'headers.authorization',
  'headers.cookie',
  'password',
  'connectionString',
]

let lines: LineWriter | null = null

/** Writes what was gathered. */
export function flushLog(): void {
  lines?.flush()
}

export const logMetric: Metric = {
  name: 'log_lines_dropped_total',
  help: 'Lines of the log that were dropped, because nobody read standard output fast enough.',
  kind: 'counter',
  read: () => [{ value: lines?.dropped ?? 0 }],
}

/** Readable on a terminal, JSON lines anywhere else. Times are in UTC as in RFC 3339, in both. */
export async function createLog({ logLevel }: Pick<Config, 'logLevel'>): Promise<Logger> {
  const options = { level: logLevel, redact, timestamp: stdTimeFunctions.isoTime, base: null }
  if (logLevel === 'silent') return pino(options, { write: () => undefined })
  tolerateClosedOutput()
  if (process.stdout.isTTY) {
    const { prettyFactory } = await import('pino-pretty')
    const pretty = prettyFactory({ translateTime: false, ignore: 'pid,hostname' })
    return pino(options, { write: (text) => void process.stdout.write(linesOf(text).map(pretty).join('')) })
  }
  lines ??= new LineWriter(process.stdout)
  return pino(options, lines)
}

/** The log of requests writes several lines at once. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}
