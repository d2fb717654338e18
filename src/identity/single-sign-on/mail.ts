/** The mail that tells users that they now sign in at the provider, and that former credentials were removed. */
import { Type } from 'typebox'
import { type MailCatalogue, type MailValuesOf, mail } from '../../core/feature/mail.ts'

export const singleSignOnMails = {
  'account.credentialsRemoved': mail({
    values: Type.Object({ userName: Type.String() }),
    languages: {
      en: ({ userName }, brand) => ({
        subject: `You now sign in to ${brand.name} at your organisation`,
        body: [
          `You have signed in as ${userName} at the identity provider of your organisation.`,
          'The password, the second factors and the sessions that the account had before no longer work, because ' +
            'somebody else may have set them. If you need a password, choose a new one with “Forgot your password?”.',
          'Webhook subscriptions and rules of the account are paused for the same reason.',
          'If you did not sign in, ask an administrator for help at once.',
        ],
      }),
      de: ({ userName }, brand) => ({
        subject: `Sie melden sich bei ${brand.name} jetzt über Ihre Organisation an`,
        body: [
          `Sie haben sich als ${userName} beim Identitätsanbieter Ihrer Organisation angemeldet.`,
          'Das Passwort, die zweiten Faktoren und die Sitzungen, die das Konto bisher hatte, gelten nicht mehr, weil ' +
            'jemand anderes sie festgelegt haben könnte. Wenn Sie ein Passwort brauchen, wählen Sie mit ' +
            '„Passwort vergessen?“ ein neues.',
          'Aus demselben Grund sind Webhook-Abonnements und Regeln des Kontos pausiert.',
          'Wenn Sie sich nicht angemeldet haben, bitten Sie sofort einen Administrator um Hilfe.',
        ],
      }),
      fr: ({ userName }, brand) => ({
        subject: `Vous vous connectez désormais à ${brand.name} auprès de votre organisation`,
        body: [
          `Vous vous êtes connecté en tant que ${userName} auprès du fournisseur d’identité de votre organisation.`,
          'Le mot de passe, les seconds facteurs et les sessions que le compte avait jusque-là ne fonctionnent plus, ' +
            'car quelqu’un d’autre a pu les définir. S’il vous faut un mot de passe, choisissez-en un nouveau avec ' +
            '« Mot de passe oublié ? ».',
          'Les abonnements et les règles de webhooks du compte sont suspendus pour la même raison.',
          'Si vous ne vous êtes pas connecté, demandez tout de suite l’aide d’un administrateur.',
        ],
      }),
    },
  }),
} satisfies MailCatalogue

declare module '../../core/feature/mail.ts' {
  interface MailValues extends MailValuesOf<typeof singleSignOnMails> {}
}
