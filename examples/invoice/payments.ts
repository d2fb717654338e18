import { Type } from 'typebox'
import { action, type Feature } from '../../src/index.ts'
import { invoice } from './invoice.ts'

const Payment = Type.Object({ data: Type.Object({ invoiceId: Type.String({ format: 'uuid' }) }) })

export const payments: Feature = {
  name: 'payment',
  actions: {
    'invoice.pay': action({
      access: 'invoice:write',
      payload: Payment,
      run: async (context, { payload }) => {
        await invoice.act(context, payload.data.invoiceId, 'pay')
      },
    }),
  },
}
