/** The mails that verify an address, and that tell the present address of a requested change. */
import { Type } from 'typebox'
import { link, type MailCatalogue, type MailValuesOf, mail } from '../../core/feature/mail.ts'

export const emailAddressMails = {
  'account.verifyEmail': mail({
    values: Type.Object({ userName: Type.String(), url: Type.String() }),
    languages: {
      en: ({ userName, url }, brand) => ({
        subject: `Verify your address for ${brand.name}`,
        body: [
          `The user ${userName} wants to use this address.`,
          link('Verify the address', url),
          'This works once, for one day. If it was not you, do nothing.',
        ],
      }),
      de: ({ userName, url }, brand) => ({
        subject: `Bestätigen Sie Ihre Adresse für ${brand.name}`,
        body: [
          `Der Benutzer ${userName} möchte diese Adresse verwenden.`,
          link('Adresse bestätigen', url),
          'Der Link gilt einmal, einen Tag lang. Wenn Sie das nicht waren, tun Sie nichts.',
        ],
      }),
      fr: ({ userName, url }, brand) => ({
        subject: `Vérifier votre adresse pour ${brand.name}`,
        body: [
          `L’utilisateur ${userName} veut utiliser cette adresse.`,
          link('Vérifier l’adresse', url),
          'Ceci fonctionne une fois, pendant un jour. Si ce n’était pas vous, ne faites rien.',
        ],
      }),
    },
  }),
  'account.emailChangeRequested': mail({
    values: Type.Object({ userName: Type.String(), email: Type.String() }),
    languages: {
      en: ({ userName, email }, brand) => ({
        subject: `A new address for your sign-in to ${brand.name}`,
        body: [
          `Somebody who is signed in as ${userName} wants to replace this address with ${email}.`,
          'The address changes when the mail to the new one is confirmed. If it was not you, change your password at once, which withdraws that mail.',
        ],
      }),
      de: ({ userName, email }, brand) => ({
        subject: `Eine neue Adresse für Ihre Anmeldung bei ${brand.name}`,
        body: [
          `Jemand, der als ${userName} angemeldet ist, möchte diese Adresse durch ${email} ersetzen.`,
          'Die Adresse ändert sich, sobald die E-Mail an die neue bestätigt ist. Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort; dadurch wird jene E-Mail ungültig.',
        ],
      }),
      fr: ({ userName, email }, brand) => ({
        subject: `Une nouvelle adresse pour votre connexion à ${brand.name}`,
        body: [
          `Quelqu’un qui est connecté en tant que ${userName} veut remplacer cette adresse par ${email}.`,
          'L’adresse change quand le courriel à la nouvelle est confirmé. Si ce n’était pas vous, changez tout de suite votre mot de passe, ce qui annule ce courriel.',
        ],
      }),
    },
  }),
} satisfies MailCatalogue

declare module '../../core/feature/mail.ts' {
  interface MailValues extends MailValuesOf<typeof emailAddressMails> {}
}
