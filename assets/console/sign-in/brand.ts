/** Whose sign-in it is. */
export interface Brand {
  name: string
  /** An address below the service; `null` for the first letter of the name. */
  logo: string | null
}

const product: Brand = { name: 'Tenantry', logo: null }

export function useBrand(): Brand {
  return product
}
