// The most critical parts of Toolglot, and the tests that should detect mistakes in them.

/**
 * @typedef {object} Area
 * @property {readonly string[]} sources the files that are mutated begin with one of these
 * @property {readonly string[]} except but not these: tables, and output for people
 * @property {readonly string[]} tests glob patterns
 * @property {readonly string[]} without tests that are too slow to repeat for many mutants
 * @property {number} floor the lowest acceptable share of killed mutants
 */

/** @type {Record<string, Area>} */
export const areas = {
  reader: {
    sources: ['read', 'json', 'repair', 'holes'].map((folder) => `packages/core/src/${folder}/`),
    except: [],
    tests: ['packages/core/src/**/*.test.ts'],
    without: [
      'packages/core/src/{check,fallback,print,prompt,schema}/**',
      '**/{nasty,hostile,linear,linear-marks,floods,protocol-for}.test.ts',
    ],
    floor: 0.7,
  },
  permissions: {
    sources: ['decide', 'shell'].map((folder) => `packages/permissions/src/${folder}/`),
    except: ['packages/permissions/src/shell/programs/'],
    tests: ['packages/permissions/src/**/*.test.ts'],
    without: ['**/{nasty,pipes}.test.ts', 'packages/permissions/src/rule/**'],
    floor: 0.7,
  },
  journal: {
    sources: ['journal', 'node/journal', 'run/resume'].map(
      (folder) => `packages/agent/src/${folder}/`,
    ),
    except: [],
    tests: ['packages/agent/src/{journal,node/journal,run}/**/*.test.ts'],
    without: [
      'packages/agent/src/run/telemetry/**',
      '**/{kill,control-kill,disk,fsync,processes,long-runs}.test.ts',
    ],
    floor: 0.7,
  },
}
