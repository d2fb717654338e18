import type { LayoutText } from './layout-text.ts'

export const english: LayoutText = {
  linkBelow: 'If the button does not work, open this address:',
  sentBy: (brand) => `This message was sent by ${brand}.`,
}
