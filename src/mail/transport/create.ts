/** Chooses the transport for the mails of a service by its settings. */
import type { Logger } from '../../core/context.ts'
import type { Config } from '../../core/settings/config.ts'
import { MailFolder, mailFolder } from './folder.ts'
import { relayTokens, type TokenConfig } from './relay-token.ts'
import { SmtpTransport } from './smtp.ts'
import type { MailTransport } from './transport.ts'

export interface TransportOptions {
  log: Logger
  deadlineMs: number
  ca: string | undefined
}

type TransportConfig = TokenConfig &
  Pick<Config, 'smtpUrl' | 'smtpCa' | 'smtpName' | 'production' | 'dataDir'>

/** @returns `null` in production without a mail server */
export function createTransport(
  { smtpUrl: url, smtpCa, smtpName, production, dataDir, ...tokens }: TransportConfig,
  { log, deadlineMs, ca = smtpCa ?? undefined }: TransportOptions,
): MailTransport | null {
  if (url !== null)
    return new SmtpTransport({ url, deadlineMs, name: smtpName, ca, tokens: relayTokens(tokens) })
  return production ? null : new MailFolder(mailFolder(dataDir), log)
}
