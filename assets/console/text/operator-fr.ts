import type { operator as english } from './operator-en.ts'

export const operator: typeof english = {
  tenant: 'Locataire',
  tenantId: 'Identifiant du locataire',
  auditOfOwn:
    'Les entrées qui sont dans la base propre d’un locataire ne paraissent qu’avec l’identifiant de ce locataire.',
}
