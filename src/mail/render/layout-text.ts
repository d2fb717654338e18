/** What every mail says around what its template says, in each language. */

export interface LayoutText {
  linkBelow: string
  sentBy(brand: string): string
}

export const english: LayoutText = {
  linkBelow: 'If the button does not work, open this address:',
  sentBy: (brand) => `This message was sent by ${brand}.`,
}

export const french: LayoutText = {
  linkBelow: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  sentBy: (brand) => `Ce message a été envoyé par ${brand}.`,
}
