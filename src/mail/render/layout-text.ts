/** The texts that every mail has around those of its template, in each language. */

export interface LayoutText {
  linkBelow: string
  sentBy(brand: string): string
}

export const english: LayoutText = {
  linkBelow: 'If the button does not work, open this address:',
  sentBy: (brand) => `This message was sent by ${brand}.`,
}

export const german: LayoutText = {
  linkBelow: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  sentBy: (brand) => `Diese Nachricht wurde von ${brand} gesendet.`,
}

export const french: LayoutText = {
  linkBelow: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  sentBy: (brand) => `Ce message a été envoyé par ${brand}.`,
}
