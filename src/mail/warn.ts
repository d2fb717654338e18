import type { Shared } from '../core/context.ts'

/** Warns if the settings name no mail server. To be called at the start. */
export function warnOfMail({ mails, log }: Shared): void {
  if (!mails.isConfigured) log.warn({}, 'no mail is sent, because SMTP_URL is not set')
}
