import { entity, money, never, text } from '../../src/index.ts'

export const device = entity('device', {
  fields: { name: text(), serial: text(), pin: text().optional(), value: money().default(0) },
  access: {
    fields: {
      serial: { write: 'once' },
      pin: { read: 'device:pin', write: 'device:pin' },
      value: { read: 'device:value', write: never },
    },
  },
})
