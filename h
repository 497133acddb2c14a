spin: cannot find trail file; looked for m.pml.trail, m.pml.tra, m.trail, m.tra
