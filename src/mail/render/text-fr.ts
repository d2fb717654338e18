import type { LayoutText } from './layout-text.ts'

export const french: LayoutText = {
  linkBelow: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  sentBy: (brand) => `Ce message a été envoyé par ${brand}.`,
}
