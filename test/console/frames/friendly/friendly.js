const at = (id) => document.getElementById(id)

tenantry.connect().then((panel) => {
  at('init').textContent = JSON.stringify({ ...panel, tokens: Object.keys(panel.tokens) })
  panel.on('row', ({ row }) => {
    at('row').textContent = row.title
  })
  panel.on('theme', ({ theme, tokens }) => {
    at('theme').textContent = `${theme} ${tokens['--accent']}`
  })
  const deeds = {
    go: () => panel.goTo('/entities/customer?sort=name'),
    out: () => panel.goTo('//elsewhere.test/'),
    toast: () => panel.toast('Hello from within'),
    type: () => panel.dirty(true),
    find: () => panel.openPalette(),
    grow: () => at('grow').style.setProperty('height', '700px'),
    save: async () => {
      const { status } = await panel.request('POST', `/api/tickets/${panel.row.id}/close`)
      if (status === 200) panel.saved()
    },
  }
  for (const [id, act] of Object.entries(deeds)) at(id).onclick = act
})
