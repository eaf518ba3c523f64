/** Who may import whom: frontend -> contracts <- backend -> workflows -> contracts, and no way back. */
const only = (from, allowed) => ({
  name: `${from}-imports-only-${allowed.join('-') || 'itself'}`,
  severity: 'error',
  from: {
    path: `^${from}/`,
    pathNot: '\\.(spec|stories)\\.tsx?$|^backend/test/|^backend/vite\\.config\\.ts$',
  },
  to: {
    path: '^(contracts|workflows|backend|frontend|stories|speech|sandbox|launcher|tests)/',
    pathNot: `^(${[from, ...allowed].join('|')})/`,
  },
})

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('contracts', []),
    only('workflows', ['contracts']),
    only('backend', ['contracts', 'workflows']),
    only('frontend', ['contracts']),
    only('speech', []),
    only('sandbox', []),
    only('stories', ['contracts', 'frontend']),
    {
      name: 'workflow-names-without-validators',
      comment: 'A value import of the API contract would pull zod and oRPC into the workflow bundle.',
      severity: 'error',
      from: { path: '^workflows/src/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^contracts/src/',
        pathNot: '^contracts/src/workflows\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'clients-live-in-platform',
      comment: 'The only places that import a database, Temporal or HTTP client are their adapters.',
      severity: 'error',
      from: {
        path: '^backend/src/',
        pathNot: '^backend/src/platform/|\\.spec\\.ts$',
      },
      to: { path: 'node_modules/(pg|undici)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-jobs-know-temporal',
      comment: 'Beside the adapter, those modules alone that start workflows and do their steps.',
      severity: 'error',
      from: {
        path: '^backend/src/',
        pathNot: '^backend/src/(platform|jobs|transcripts|summaries|payments)/|\\.spec\\.ts$',
      },
      to: { path: 'node_modules/@temporalio/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'http-does-no-jobs',
      comment: 'The process that answers HTTP starts jobs; their steps belong to the worker.',
      severity: 'error',
      from: { path: '^backend/src/main\\.ts$' },
      to: { path: '^backend/src/platform/temporal/activity\\.ts$', reachable: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'Events, state and decisions know no framework, no clock and no I/O.',
      severity: 'error',
      from: { path: '/domain/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '/domain/|^contracts/' },
    },
    {
      name: 'modules-know-only-the-ledger',
      comment: 'Of each other, the backend modules know what a job is and the commands that move credits.',
      severity: 'error',
      from: {
        path: '^backend/src/(identity|podcasts|transcripts|summaries|jobs|payments)/',
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        path: '^backend/src/(identity|podcasts|transcripts|summaries|credits|payments)/',
        pathNot: [
          '^backend/src/$1/',
          '^backend/src/credits/(domain/|ledger\\.ts|credits\\.module\\.ts|[a-z]+-credits/)',
        ],
      },
    },
    {
      name: 'features-flow-downhill',
      comment: 'app -> features -> ui and api.',
      severity: 'error',
      from: { path: '^frontend/src/(ui|api)/' },
      to: { path: '^frontend/src/(app|features)/' },
    },
    {
      name: 'features-do-not-know-the-app',
      severity: 'error',
      from: { path: '^frontend/src/features/', pathNot: '\\.stories\\.tsx$' },
      to: { path: '^frontend/src/app/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|/histories/|\\.json$|\\.css$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs'],
    },
  },
}
