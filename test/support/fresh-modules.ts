/** Files of one worker share the libraries they import, not our own modules: each begins with modules nobody has used. */
import { vi } from 'vitest';

vi.resetModules();
