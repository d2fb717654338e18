import { Type } from 'typebox'
import type { AuditCatalogue } from '../core/audit/action.ts'
import type { EventCatalogue, PayloadsOf } from '../core/events/event-type.ts'
import { Uuid } from '../core/schema/schema.ts'
import { MailError, MailRecipient, MailTemplateName } from './schema.ts'

export const mailEvents = {
  'mail.failed': {
    summary: 'A mail was not sent, and no attempt follows.',
    access: 'admin',
    payload: Type.Object({
      mailId: Uuid,
      template: MailTemplateName,
      recipient: MailRecipient,
      attempts: Type.Integer({ minimum: 0, description: 'Number of attempts', examples: [1] }),
      error: MailError,
    }),
  },
} satisfies EventCatalogue

export const mailAudit = {
  'mail.retried':
    'A mail that was not sent was retried by an administrator, or all mails of one cause, whose number the detail has',
  'deadMails.retried': 'The operator of the service retried mails of a template that were not sent',
} satisfies AuditCatalogue

declare module '../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof mailEvents> {}
}

declare module '../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof mailAudit, string> {}
}
