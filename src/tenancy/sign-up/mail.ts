/** Mails to applicants. Before the address is verified, a mail repeats nothing that the applicant has typed. */
import { Type } from 'typebox'
import { plainName } from '../../core/display-name.ts'
import { link, type MailCatalogue, type MailValuesOf, mail, rows } from '../../core/feature/mail.ts'

export const signUpMails = {
  'account.signUp': mail({
    values: Type.Object({ url: Type.String() }),
    languages: {
      en: ({ url }, brand) => ({
        subject: `Complete your sign-up for ${brand.name}`,
        body: [
          `Somebody signed up for ${brand.name} with this address.`,
          link('Complete the sign-up', url),
          'This works once, for one day, with the password that was chosen. If it was not you, do nothing.',
        ],
      }),
      de: ({ url }, brand) => ({
        subject: `Schließen Sie Ihre Registrierung bei ${brand.name} ab`,
        body: [
          `Jemand hat sich mit dieser Adresse bei ${brand.name} registriert.`,
          link('Registrierung abschließen', url),
          'Der Link gilt einmal, einen Tag lang, mit dem gewählten Passwort. Wenn Sie das nicht waren, tun Sie nichts.',
        ],
      }),
      fr: ({ url }, brand) => ({
        subject: `Terminer votre inscription à ${brand.name}`,
        body: [
          `Quelqu’un s’est inscrit à ${brand.name} avec cette adresse.`,
          link('Terminer l’inscription', url),
          'Ceci fonctionne une fois, pendant un jour, avec le mot de passe choisi. Si ce n’était pas vous, ne faites rien.',
        ],
      }),
    },
  }),
  'account.signUpCompleted': mail({
    values: Type.Object({
      tenantName: Type.String(),
      tenantId: Type.String(),
      userName: Type.String(),
      /** The address of the sign-in; mails of earlier versions have none. */
      url: Type.Optional(Type.String()),
    }),
    languages: {
      en: ({ tenantName, tenantId, userName, url }, brand) => ({
        subject: `Welcome to ${brand.name}`,
        body: [
          `${plainName(tenantName)} is ready. Sign in with the password that you chose.`,
          rows(['Tenant', tenantId], ['User name', userName]),
          ...(url === undefined ? [] : [link('Sign in', url)]),
        ],
      }),
      de: ({ tenantName, tenantId, userName, url }, brand) => ({
        subject: `Willkommen bei ${brand.name}`,
        body: [
          `${plainName(tenantName)} ist bereit. Melden Sie sich mit dem Passwort an, das Sie gewählt haben.`,
          rows(['Organisation', tenantId], ['Benutzername', userName]),
          ...(url === undefined ? [] : [link('Anmelden', url)]),
        ],
      }),
      fr: ({ tenantName, tenantId, userName, url }, brand) => ({
        subject: `Bienvenue chez ${brand.name}`,
        body: [
          `${plainName(tenantName)} : tout est prêt. Connectez-vous avec le mot de passe que vous avez choisi.`,
          rows(['Organisation', tenantId], ['Nom d’utilisateur', userName]),
          ...(url === undefined ? [] : [link('Se connecter', url)]),
        ],
      }),
    },
  }),
  'account.signUpRejected': mail({
    values: Type.Object({ tenantName: Type.String(), reason: Type.Union([Type.String(), Type.Null()]) }),
    languages: {
      en: ({ tenantName, reason }, brand) => ({
        subject: `Your sign-up for ${brand.name}`,
        body: [
          `The sign-up of ${plainName(tenantName)} was not accepted.`,
          ...(reason === null ? [] : [reason]),
        ],
      }),
      de: ({ tenantName, reason }, brand) => ({
        subject: `Ihre Registrierung bei ${brand.name}`,
        body: [
          `Die Registrierung von ${plainName(tenantName)} wurde nicht angenommen.`,
          ...(reason === null ? [] : [reason]),
        ],
      }),
      fr: ({ tenantName, reason }, brand) => ({
        subject: `Votre inscription à ${brand.name}`,
        body: [
          `L’inscription de ${plainName(tenantName)} n’a pas été acceptée.`,
          ...(reason === null ? [] : [reason]),
        ],
      }),
    },
  }),
} satisfies MailCatalogue

declare module '../../core/feature/mail.ts' {
  interface MailValues extends MailValuesOf<typeof signUpMails> {}
}
