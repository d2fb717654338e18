/** The mails that tell users of sign-ins. */
import { Type } from 'typebox'
import { type MailCatalogue, type MailValuesOf, mail, rows } from '../../core/feature/mail.ts'

export const sessionMails = {
  'account.newDevice': mail({
    values: Type.Object({
      userName: Type.String(),
      device: Type.String(),
      network: Type.String(),
      signedInAt: Type.String(),
    }),
    languages: {
      en: ({ userName, device, network, signedInAt }, brand) => ({
        subject: `New sign-in to ${brand.name}`,
        body: [
          `Somebody signed in as ${userName} from a device and a network that are new.`,
          rows(['Device', device], ['Network', network], ['Time', signedInAt]),
          'If it was not you, change your password and end the session.',
        ],
      }),
      de: ({ userName, device, network, signedInAt }, brand) => ({
        subject: `Neue Anmeldung bei ${brand.name}`,
        body: [
          `Jemand hat sich als ${userName} von einem Gerät und aus einem Netz angemeldet, die neu sind.`,
          rows(['Gerät', device], ['Netz', network], ['Zeit', signedInAt]),
          'Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und beenden Sie die Sitzung.',
        ],
      }),
      fr: ({ userName, device, network, signedInAt }, brand) => ({
        subject: `Nouvelle connexion à ${brand.name}`,
        body: [
          `Quelqu’un s’est connecté en tant que ${userName} depuis un appareil et un réseau nouveaux.`,
          rows(['Appareil', device], ['Réseau', network], ['Heure', signedInAt]),
          'Si ce n’était pas vous, changez votre mot de passe et mettez fin à la session.',
        ],
      }),
    },
  }),
} satisfies MailCatalogue

declare module '../../core/feature/mail.ts' {
  interface MailValues extends MailValuesOf<typeof sessionMails> {}
}
