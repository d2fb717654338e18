/** Chooses what takes the mails of a service. */
import type { Logger } from '../../core/context.ts'
import type { Config } from '../../core/settings/config.ts'
import { MailFolder, mailFolder } from './folder.ts'
import { SmtpTransport } from './smtp.ts'
import type { MailTransport } from './transport.ts'

export interface TransportOptions {
  log: Logger
  deadlineMs: number
  ca: string | undefined
}

/** @returns `null` in production without a mail server */
export function createTransport(
  { smtpUrl: url, production, dataDir }: Pick<Config, 'smtpUrl' | 'production' | 'dataDir'>,
  { log, deadlineMs, ca }: TransportOptions,
): MailTransport | null {
  if (url !== null) return new SmtpTransport({ url, deadlineMs, ca })
  return production ? null : new MailFolder(mailFolder(dataDir), log)
}
