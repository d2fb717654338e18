import type { brand as english } from './brand-en.ts'

/** The German texts about the name, the logos and the colour of a tenant. */
export const brand: typeof english = {
  pickColor: 'Beliebige Farbe wählen',
  readyColors: 'Fertige Farben',
  colors: {
    iris: 'Iris',
    blue: 'Blau',
    teal: 'Petrol',
    green: 'Grün',
    brown: 'Braun',
    red: 'Rot',
    pink: 'Pink',
    slate: 'Schiefer',
  },
  preview: 'So sehen es Ihre Kunden',
  previewText: 'Melden Sie sich an, um fortzufahren',
  previewHint:
    'Text ist ab einem Kontrast von 4,5 zu 1 lesbar. Wo die Farbe ihn nicht erreicht, nehmen Seiten einen dunkleren oder helleren Ton davon.',
  themes: { light: 'Helle Seiten', dark: 'Dunkle Seiten' },
  buttons: 'Schaltflächen',
  buttonText: { white: 'weiße Schrift', dark: 'dunkle Schrift' },
  links: 'Links',
  shades: { same: 'die Farbe selbst', darker: 'ein dunklerer Ton', lighter: 'ein hellerer Ton' },
  contrast: (ratio) => `${ratio} zu 1`,
  logo: 'Die Seiten Ihrer Kunden laden das Logo von seiner Adresse, diese Konsole nicht.',
  noBrand: 'Name des Mandanten',
  logos: 'Logo',
  logosHint: 'PNG, WebP oder SVG, höchstens 200 kB. Seiten, das Portal und E-Mails zeigen es.',
  logoOf: { light: 'Logo auf hellem Grund', dark: 'Logo auf dunklem Grund' },
  chooseLogo: { light: 'Logo auswählen', dark: 'Logo für dunkle Seiten auswählen' },
  noLogo: 'Kein Logo',
  logoRefused: (file) =>
    `${file} ist kein PNG, WebP oder SVG von höchstens 200 kB. Es wurde nichts gesendet.`,
}
