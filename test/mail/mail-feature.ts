/** A feature with mails, as an application has it. */
import { Type } from 'typebox'
import type { Feature } from '../../src/core/feature/feature.ts'
import { code, link, type MailValuesOf, mail, rows } from '../../src/core/feature/mail.ts'
import { forTenant } from '../../src/core/tenant/each-tenant.ts'
import { inCatalogue } from '../../src/core/transaction.ts'
import { type NewMail, sendMail } from '../../src/mail/send.ts'
import type { TestService } from '../support/service.ts'

const mails = {
  'test.greet': mail({
    values: Type.Object({ name: Type.String(), url: Type.String() }),
    languages: {
      en: ({ name, url }, { name: brand }) => ({
        subject: `Welcome to ${brand}, ${name}`,
        body: [`Dear ${name},`, link('Open', url), code('123456'), rows(['Plan', 'Basic'])],
      }),
      fr: ({ name, url }, { name: brand }) => ({
        subject: `Bienvenue chez ${brand}, ${name}`,
        body: [`Bonjour ${name},`, link('Ouvrir', url)],
      }),
    },
  }),
}

declare module '../../src/index.ts' {
  interface MailValues extends MailValuesOf<typeof mails> {}
}

export const greetingFeature: Feature = { name: 'greeting', mails }

export const secretUrl = 'https://app.example/accept?token=2f9c1f1e6f5d4b0a8d7e'

/** @returns the id of the mail */
export async function greet(
  { service }: Pick<TestService, 'service'>,
  tenantId: string,
  to: string,
  given: Partial<NewMail<{ name: string; url: string }>> = {},
): Promise<string> {
  const values = { name: 'Ada', url: secretUrl }
  return forTenant(await service.operator(), tenantId, (context) =>
    inCatalogue(context, (inside) => sendMail(inside, 'test.greet', { to, values, ...given })),
  )
}
