/** A page of the console that shows how many tickets of each team are open. */
tenantry.connect().then(async (panel) => {
  const teams = await rowsOf(panel, '/api/teams?sort=name&limit=200')
  const tickets = await rowsOf(panel, '/api/tickets?state=open&limit=200')
  const groups = [...teams, { id: null, name: 'No team' }].map(({ id, name }) => ({
    name,
    open: tickets.filter(({ teamId }) => teamId === id).length,
  }))
  const lines = groups.map((group) => lineOf(group, tickets.length))
  document.getElementById('teams').replaceChildren(...lines)
})

async function rowsOf(panel, path) {
  const { status, body } = await panel.request('GET', path)
  if (status !== 200) throw new Error(body.message)
  return body
}

function lineOf({ name, open }, total) {
  const bar = document.createElement('progress')
  bar.max = Math.max(total, 1)
  bar.value = open
  bar.setAttribute('aria-label', `${open} of ${total}`)
  const line = document.createElement('tr')
  line.append(cellOf(name), cellOf(open, 'number'), cellOf(bar))
  return line
}

function cellOf(content, className = '') {
  const cell = document.createElement('td')
  cell.className = className
  cell.append(content)
  return cell
}
