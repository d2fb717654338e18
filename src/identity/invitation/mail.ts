/** The mails to invited people. */
import { Type } from 'typebox'
import { link, type MailCatalogue, type MailValuesOf, mail } from '../../core/feature/mail.ts'

export const invitationMails = {
  'account.invitation': mail({
    values: Type.Object({ invitedBy: Type.String(), url: Type.String() }),
    languages: {
      en: ({ invitedBy, url }, brand) => ({
        subject: `${invitedBy} invites you to ${brand.name}`,
        body: [
          `${invitedBy} invites you to ${brand.name}.`,
          link('Accept the invitation', url),
          'This works once, for seven days. If you do not know the sender, do nothing.',
        ],
      }),
      de: ({ invitedBy, url }, brand) => ({
        subject: `${invitedBy} lädt Sie zu ${brand.name} ein`,
        body: [
          `${invitedBy} lädt Sie zu ${brand.name} ein.`,
          link('Einladung annehmen', url),
          'Der Link gilt einmal, sieben Tage lang. Wenn Sie den Absender nicht kennen, tun Sie nichts.',
        ],
      }),
      fr: ({ invitedBy, url }, brand) => ({
        subject: `${invitedBy} vous invite à ${brand.name}`,
        body: [
          `${invitedBy} vous invite à ${brand.name}.`,
          link('Accepter l’invitation', url),
          'Ceci fonctionne une fois, pendant sept jours. Si vous ne connaissez pas l’expéditeur, ne faites rien.',
        ],
      }),
    },
  }),
} satisfies MailCatalogue

declare module '../../core/feature/mail.ts' {
  interface MailValues extends MailValuesOf<typeof invitationMails> {}
}
