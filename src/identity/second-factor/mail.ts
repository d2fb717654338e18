/** The mail that tells users of changes to their second factors. */

import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { mailedUserName } from '../../core/display-name.ts'
import { type MailCatalogue, type MailValuesOf, mail } from '../../core/feature/mail.ts'
import { sendNotice } from '../../mail/send.ts'
import type { Account } from '../user/account.ts'

const changes = {
  totpAdded: {
    en: 'An authenticator app was added',
    de: 'Eine Authenticator-App wurde hinzugefügt',
    fr: 'Une application d’authentification a été ajoutée',
  },
  totpRemoved: {
    en: 'The authenticator app was removed',
    de: 'Die Authenticator-App wurde entfernt',
    fr: 'L’application d’authentification a été retirée',
  },
  passkeyAdded: {
    en: 'A passkey was added',
    de: 'Ein Passkey wurde hinzugefügt',
    fr: 'Une clé d’accès a été ajoutée',
  },
  passkeyRemoved: {
    en: 'A passkey was removed',
    de: 'Ein Passkey wurde entfernt',
    fr: 'Une clé d’accès a été retirée',
  },
  factorsReset: {
    en: 'An administrator removed all second factors',
    de: 'Ein Administrator hat alle zweiten Faktoren entfernt',
    fr: 'Un administrateur a retiré tous les seconds facteurs',
  },
  codesRenewed: {
    en: 'New recovery codes were made, and the earlier ones no longer work',
    de: 'Neue Wiederherstellungscodes wurden erzeugt, und die bisherigen gelten nicht mehr',
    fr: 'De nouveaux codes de secours ont été créés, et les précédents ne fonctionnent plus',
  },
  codeUsed: {
    en: 'A recovery code was used',
    de: 'Ein Wiederherstellungscode wurde verwendet',
    fr: 'Un code de secours a été utilisé',
  },
  wrongCodes: {
    en: 'Somebody with your password gave several wrong codes',
    de: 'Jemand mit Ihrem Passwort hat mehrere falsche Codes eingegeben',
    fr: 'Quelqu’un qui a votre mot de passe a saisi plusieurs codes faux',
  },
} as const

export type FactorChange = keyof typeof changes

export const secondFactorMails = {
  'account.secondFactor': mail({
    values: Type.Object({
      userName: Type.String(),
      change: Type.Unsafe<FactorChange>({ type: 'string', enum: Object.keys(changes) }),
    }),
    languages: {
      en: ({ userName, change }, brand) => ({
        subject: `Second factor of your account for ${brand.name}`,
        body: [
          `${changes[change].en}, for the account ${userName}.`,
          'If it was not you, change your password and ask an administrator for help at once.',
        ],
      }),
      de: ({ userName, change }, brand) => ({
        subject: `Zweiter Faktor Ihres Kontos bei ${brand.name}`,
        body: [
          `Konto ${userName}: ${changes[change].de}.`,
          'Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und bitten Sie sofort einen Administrator um Hilfe.',
        ],
      }),
      fr: ({ userName, change }, brand) => ({
        subject: `Second facteur de votre compte pour ${brand.name}`,
        body: [
          `${changes[change].fr}, pour le compte ${userName}.`,
          'Si ce n’était pas vous, changez votre mot de passe et demandez tout de suite l’aide d’un administrateur.',
        ],
      }),
    },
  }),
} satisfies MailCatalogue

declare module '../../core/feature/mail.ts' {
  interface MailValues extends MailValuesOf<typeof secondFactorMails> {}
}

/** Sends the mail, inside a transaction that has locked the user. */
export async function notify(
  inside: Context,
  { email, user_name }: Account,
  change: FactorChange,
): Promise<void> {
  const values = { userName: mailedUserName(user_name, email), change }
  await sendNotice(inside, 'account.secondFactor', { to: email, values })
}
