/** The mails that tell users of changes to their password, user name or address. */
import { type Static, Type } from 'typebox'
import { type MailCatalogue, type MailValuesOf, mail, rows } from '../../core/feature/mail.ts'

/** How a password was changed. */
const means = Type.Union([Type.Literal('mail'), Type.Literal('user'), Type.Literal('administrator')])
export type PasswordChangeMeans = Static<typeof means>

const passwordEnglish: Record<PasswordChangeMeans, string> = {
  mail: 'was reset by a mail to this address. All sessions have ended.',
  user: 'was changed by somebody who knew the former one. All other sessions have ended.',
  administrator: 'was changed by an administrator. All sessions have ended.',
}

const passwordGerman: Record<PasswordChangeMeans, string> = {
  mail: 'wurde mit einer E-Mail an diese Adresse zurückgesetzt. Alle Sitzungen sind beendet.',
  user: 'wurde von jemandem geändert, der das bisherige kannte. Alle anderen Sitzungen sind beendet.',
  administrator: 'wurde von einem Administrator geändert. Alle Sitzungen sind beendet.',
}

const passwordFrench: Record<PasswordChangeMeans, string> = {
  mail: 'a été réinitialisé par un courriel à cette adresse. Toutes les sessions sont terminées.',
  user: 'a été changé par quelqu’un qui connaissait l’ancien. Toutes les autres sessions sont terminées.',
  administrator: 'a été changé par un administrateur. Toutes les sessions sont terminées.',
}

export const userMails = {
  'account.passwordChanged': mail({
    // Mails of earlier versions lack `by`. They were always about a reset by mail.
    values: Type.Object({ userName: Type.String(), by: Type.Optional(means) }),
    languages: {
      en: ({ userName, by = 'mail' }, brand) => ({
        subject: `Your password for ${brand.name} was changed`,
        body: [
          `The password of ${userName} ${passwordEnglish[by]}`,
          'If you did not expect this, ask an administrator for help at once.',
        ],
      }),
      de: ({ userName, by = 'mail' }, brand) => ({
        subject: `Ihr Passwort für ${brand.name} wurde geändert`,
        body: [
          `Das Passwort von ${userName} ${passwordGerman[by]}`,
          'Wenn Sie das nicht erwartet haben, bitten Sie sofort einen Administrator um Hilfe.',
        ],
      }),
      fr: ({ userName, by = 'mail' }, brand) => ({
        subject: `Votre mot de passe pour ${brand.name} a été changé`,
        body: [
          `Le mot de passe de ${userName} ${passwordFrench[by]}`,
          'Si vous ne vous y attendiez pas, demandez tout de suite l’aide d’un administrateur.',
        ],
      }),
    },
  }),
  'account.namesChanged': mail({
    values: Type.Object({
      userName: Type.String(),
      formerUserName: Type.String(),
      email: Type.String(),
      formerEmail: Type.String(),
    }),
    languages: {
      en: ({ userName, formerUserName, email, formerEmail }, brand) => ({
        subject: `Your sign-in for ${brand.name} was changed`,
        body: [
          'The user name or the address with which you sign in was changed.',
          rows(
            ['User name', changed(formerUserName, userName)],
            ['Email address', changed(formerEmail, email)],
          ),
          'If you did not expect this, ask an administrator for help at once.',
        ],
      }),
      de: ({ userName, formerUserName, email, formerEmail }, brand) => ({
        subject: `Ihre Anmeldung bei ${brand.name} wurde geändert`,
        body: [
          'Der Benutzername oder die Adresse, mit denen Sie sich anmelden, wurde geändert.',
          rows(
            ['Benutzername', changed(formerUserName, userName)],
            ['E-Mail-Adresse', changed(formerEmail, email)],
          ),
          'Wenn Sie das nicht erwartet haben, bitten Sie sofort einen Administrator um Hilfe.',
        ],
      }),
      fr: ({ userName, formerUserName, email, formerEmail }, brand) => ({
        subject: `Votre connexion à ${brand.name} a été changée`,
        body: [
          'Le nom d’utilisateur ou l’adresse avec lesquels vous vous connectez ont été changés.',
          rows(
            ['Nom d’utilisateur', changed(formerUserName, userName)],
            ['Adresse électronique', changed(formerEmail, email)],
          ),
          'Si vous ne vous y attendiez pas, demandez tout de suite l’aide d’un administrateur.',
        ],
      }),
    },
  }),
} satisfies MailCatalogue

function changed(former: string, present: string): string {
  return former === present ? present : `${former} → ${present}`
}

declare module '../../core/feature/mail.ts' {
  interface MailValues extends MailValuesOf<typeof userMails> {}
}
