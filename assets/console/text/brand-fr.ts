import type { brand as english } from './brand-en.ts'

/** The French texts about the name, the logos and the colour of a tenant. */
export const brand: typeof english = {
  pickColor: 'Choisir une autre couleur',
  readyColors: 'Couleurs prêtes',
  colors: {
    iris: 'Iris',
    blue: 'Bleu',
    teal: 'Bleu canard',
    green: 'Vert',
    brown: 'Brun',
    red: 'Rouge',
    pink: 'Rose',
    slate: 'Ardoise',
  },
  preview: 'Ce que voient vos clients',
  previewText: 'Connectez-vous pour continuer',
  previewHint:
    'Un texte est lisible à partir d’un contraste de 4,5 pour 1. Là où la couleur ne l’atteint pas, les pages en prennent une nuance plus foncée ou plus claire.',
  themes: { light: 'Pages claires', dark: 'Pages sombres' },
  buttons: 'Boutons',
  buttonText: { white: 'texte blanc', dark: 'texte foncé' },
  links: 'Liens',
  shades: { same: 'la couleur même', darker: 'une nuance plus foncée', lighter: 'une nuance plus claire' },
  contrast: (ratio) => `${ratio} pour 1`,
  logo: 'Les pages de vos clients chargent le logo de son adresse ; cette console ne le charge pas.',
  noBrand: 'Nom du locataire',
  logos: 'Logo',
  logosHint: 'PNG, WebP ou SVG, 200 ko au plus. Les pages, le portail et les e-mails le montrent.',
  logoOf: { light: 'Logo sur fond clair', dark: 'Logo sur fond sombre' },
  chooseLogo: { light: 'Choisir un logo', dark: 'Choisir un logo pour les pages sombres' },
  noLogo: 'Aucun logo',
  logoRefused: (file) => `${file} n’est pas un PNG, WebP ou SVG de 200 ko au plus. Rien n’a été envoyé.`,
}
