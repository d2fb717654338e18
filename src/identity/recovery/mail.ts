/** The mail with the link by which a user sets a new password. */
import { Type } from 'typebox'
import { link, type MailCatalogue, type MailValuesOf, mail } from '../../core/feature/mail.ts'

export const recoveryMails = {
  'account.resetPassword': mail({
    values: Type.Object({ userName: Type.String(), url: Type.String() }),
    languages: {
      en: ({ userName, url }, brand) => ({
        subject: `Reset your password for ${brand.name}`,
        body: [
          `Somebody asked to reset the password of ${userName}.`,
          link('Choose a new password', url),
          'This works once, for one hour. If it was not you, do nothing: the password stays as it is.',
        ],
      }),
      de: ({ userName, url }, brand) => ({
        subject: `Ihr Passwort für ${brand.name} zurücksetzen`,
        body: [
          `Jemand hat darum gebeten, das Passwort von ${userName} zurückzusetzen.`,
          link('Neues Passwort wählen', url),
          'Der Link gilt einmal, eine Stunde lang. Wenn Sie das nicht waren, tun Sie nichts: Das Passwort bleibt, wie es ist.',
        ],
      }),
      fr: ({ userName, url }, brand) => ({
        subject: `Réinitialiser votre mot de passe pour ${brand.name}`,
        body: [
          `Quelqu’un a demandé à réinitialiser le mot de passe de ${userName}.`,
          link('Choisir un nouveau mot de passe', url),
          'Ceci fonctionne une fois, pendant une heure. Si ce n’était pas vous, ne faites rien : le mot de passe ne change pas.',
        ],
      }),
    },
  }),
} satisfies MailCatalogue

declare module '../../core/feature/mail.ts' {
  interface MailValues extends MailValuesOf<typeof recoveryMails> {}
}
