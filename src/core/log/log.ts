/** The log of the process on standard output, which may be closed or full without stopping the service. */

import { type Logger, pino, stdTimeFunctions } from 'pino'
import { errorCode } from '../../database/thrown.ts'
import type { Metric } from '../metric.ts'
import type { Config } from '../settings/config.ts'
import { LineWriter, type OutputStream, tolerateClosedOutput } from './standard-output.ts'

/** Secrets are not logged. These members are removed in case a whole object is logged. */
const redact = [
  'req.headers.authorization',
  'headers.authorization',
  'req.headers["x-api-key"]',
  'headers["x-api-key"]',
  'headers.cookie',
  'password',
  'connectionString',
]

let lines: LineWriter | null = null

/** Writes the buffered lines. */
export function flushLog(): void {
  lines?.flush()
}

export const logMetric: Metric = {
  name: 'log_lines_dropped_total',
  help: 'Log lines that were dropped because standard output was read too slowly.',
  kind: 'counter',
  read: () => [{ value: lines?.dropped ?? 0 }],
}

/**
 * Readable text on a terminal, JSON lines elsewhere. Times are UTC (RFC 3339).
 * @param output of a command that does not write to that of the process
 */
export async function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  output: OutputStream = process.stdout,
): Promise<Logger> {
  const options = { level: logLevel, redact, timestamp: stdTimeFunctions.isoTime, base: null }
  if (logLevel === 'silent') return pino(options, { write: () => undefined })
  tolerateClosedOutput([output])
  const pretty = output.isTTY === true ? await prettyLine() : null
  if (pretty !== null)
    return pino(options, { write: (text) => void output.write(linesOf(text).map(pretty).join('')) })
  if (output !== process.stdout) return pino(options, output)
  lines ??= new LineWriter(output)
  return pino(options, lines)
}

/** @returns `null` for the sources without their development dependencies, which have no bundle */
async function prettyLine(): Promise<((line: string) => string) | null> {
  // biome-ignore lint/correctness/noUndeclaredDependencies: the bundle contains it
  const library = await import('pino-pretty').catch((error: unknown) => {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
  })
  return library?.prettyFactory({ translateTime: false, ignore: 'pid,hostname' }) ?? null
}

/** The log of requests writes several lines at once. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/)
}
