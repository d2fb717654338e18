/** The examples that the page shows when it is opened for the first time. */

const products = `# Products that cost more than 10, by name.
#
# Ctrl-Enter runs the operation.
# Ctrl-Space completes what you type.
#
# Sign in above, or give headers, below:
# "Authorization" wants the accessToken of
# POST /api/auth/login behind "Bearer ".
# Each tab has headers of its own.

query Products {
  products(
    where: { price: { gt: 10 } }
    order: [{ name: ASC }]
  ) {
    id
    name
    price
    category {
      name
    }
  }
}
`

const orderCreated = `# Each order at the moment when it is placed.
#
# Sign in above first. Run it, and place an
# order from elsewhere, for example with
# POST /api/orders.

subscription OrderCreated {
  onOrderCreated {
    id
    total
  }
}
`

/** The example of headers. Empty ones are not sent; the tenant then follows from the token or the address. */
export const exampleHeaders = JSON.stringify({ Authorization: 'Bearer ', 'X-Tenant-Id': '' }, null, 2)

export const exampleTabs = [products, orderCreated].map((query) => ({ query, headers: exampleHeaders }))
