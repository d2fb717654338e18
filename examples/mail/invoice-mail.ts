/** Mails about invoices, in two languages. */
import { type Static, Type } from 'typebox'
import { type Context, type Feature, inTransaction, link, mail, sendMail } from '../../src/index.ts'

const values = Type.Object({ number: Type.String(), url: Type.String() })

const mails = {
  'invoice.ready': mail({
    values,
    languages: {
      en: ({ number, url }, brand) => ({
        subject: `Invoice ${number} of ${brand.name}`,
        body: [`Your invoice ${number} is ready.`, link('Show the invoice', url)],
      }),
      fr: ({ number, url }, brand) => ({
        subject: `Facture ${number} de ${brand.name}`,
        body: [`Votre facture ${number} est prête.`, link('Afficher la facture', url)],
      }),
    },
  }),
}

declare module '../../src/index.ts' {
  interface MailValues {
    'invoice.ready': Static<typeof values>
  }
}

export const invoiceMails: Feature = { name: 'invoice-mail', mails }

export function announceInvoice(context: Context, to: string, number: string): Promise<void> {
  return inTransaction(context, async (inside) => {
    // Make your change here: the mail is stored in the same transaction.
    const url = `https://app.example.com/invoices/${number}`
    await sendMail(inside, 'invoice.ready', { to, values: { number, url } })
  })
}
